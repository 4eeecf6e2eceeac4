"""Who was logged in where. The data protection officer gets this once a quarter."""
from sqlalchemy import text

OPEN_SESSIONS = text(
    """
    SELECT login,
           system_user,
           workstation,
           started_at
      FROM audit_sessions
     WHERE ended_at IS NULL
     ORDER BY started_at
    """
)

BY_ACCOUNT = text(
    """
    SELECT s."system_user" AS account, count(*) AS sessions
      FROM audit_sessions s
     WHERE s.started_at >= :since
     GROUP BY 1
    """
)

START = text(
    'INSERT INTO audit_sessions (login, "system_user", workstation) VALUES (:login, :account, :workstation)'
)


def open_sessions(connection):
    return connection.execute(OPEN_SESSIONS).mappings().all()


def by_account(connection, since):
    return connection.execute(BY_ACCOUNT, {"since": since}).all()


def start(connection, login, account, workstation):
    connection.execute(START, {"login": login, "account": account, "workstation": workstation})
