use std::env;

pub struct Settings {
    pub listen: String,
    pub database_url: String,
    pub desk: String,
}

impl Settings {
    pub fn from_env() -> Result<Self, env::VarError> {
        Ok(Settings {
            listen: env::var("LISTEN").unwrap_or_else(|_| "0.0.0.0:8080".into()),
            database_url: env::var("DATABASE_URL")?,
            desk: env::var("DESK").unwrap_or_else(|_| "desk-1".into()),
        })
    }
}
