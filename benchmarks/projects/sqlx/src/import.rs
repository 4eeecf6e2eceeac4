use sqlx::{Executor, PgConnection};

pub async fn load(connection: &mut PgConnection) -> sqlx::Result<()> {
    connection.execute("COPY import (line, n) FROM STDIN WHERE tableoid > 0").await?;
    connection.execute("COPY import (line, n) FROM STDIN WHERE n > 0").await?;
    connection.execute("SELECT ctid FROM import WHERE tableoid > 0").await?;
    connection.execute("CREATE ROLE \"agents\nnorth\"").await?;
    connection.execute("CREATE ROLE \"agents north\"").await?;
    connection.execute("SET lc_messages = 'C'").await?;
    Ok(())
}
