name := "bets"
version := "3.4.0"
scalaVersion := "2.13.8"

libraryDependencies ++= Seq(
  "org.tpolecat"       %% "doobie-core"   % "1.0.0-RC2",
  "org.tpolecat"       %% "doobie-hikari" % "1.0.0-RC2",
  "com.typesafe.slick" %% "slick"         % "3.3.3",
  "org.flywaydb"        % "flyway-core"   % "8.5.13",
  "org.postgresql"      % "postgresql"    % "42.3.6",
  "org.scalatest"      %% "scalatest"     % "3.2.12" % Test
)
