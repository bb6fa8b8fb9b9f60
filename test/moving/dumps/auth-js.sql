-- The schema of @auth/pg-adapter 1.11 (its schema.sql), with the column for a password that the host adds for the provider
-- Credentials. bcryptjs made the hashes. Everybody's password is that of the tests.

CREATE TABLE verification_token
(
  identifier TEXT NOT NULL,
  expires TIMESTAMPTZ NOT NULL,
  token TEXT NOT NULL,

  PRIMARY KEY (identifier, token)
);

CREATE TABLE accounts
(
  id SERIAL,
  "userId" INTEGER NOT NULL,
  type VARCHAR(255) NOT NULL,
  provider VARCHAR(255) NOT NULL,
  "providerAccountId" VARCHAR(255) NOT NULL,
  refresh_token TEXT,
  access_token TEXT,
  expires_at BIGINT,
  id_token TEXT,
  scope TEXT,
  session_state TEXT,
  token_type TEXT,

  PRIMARY KEY (id)
);

CREATE TABLE sessions
(
  id SERIAL,
  "userId" INTEGER NOT NULL,
  expires TIMESTAMPTZ NOT NULL,
  "sessionToken" VARCHAR(255) NOT NULL,

  PRIMARY KEY (id)
);

CREATE TABLE users
(
  id SERIAL,
  name VARCHAR(255),
  email VARCHAR(255),
  "emailVerified" TIMESTAMPTZ,
  image TEXT,

  PRIMARY KEY (id)
);

ALTER TABLE users ADD COLUMN password TEXT, ADD COLUMN role TEXT NOT NULL DEFAULT 'customer';

INSERT INTO users (name, email, "emailVerified", password, role) VALUES
  ('Ada', 'Ada@Example.com', '2024-03-05 09:30:00+00', '$2b$10$9EAMxoZ.ISsfLmfRPaniyemjvGUVNpEgu1DX8ek3ovyI.GE1uccE.', 'admin'),
  ('Rex', 'rex@example.com', null, '$2b$10$1YyXXyyXUqaa9JYY.PIlj.Svz01NZ3VI24aOeOz7G0St0t654D0/q', 'admin'),
  ('Cus', 'cus@example.com', '2024-03-05 09:30:00+00', '$2b$10$KNLj.sTct86c/99CigMg9e6zDZLXhQOVXoZ6/GAW5wly0C/sLkYma', 'customer'),
  ('Git', 'git@example.com', '2024-03-05 09:30:00+00', null, 'admin');
INSERT INTO accounts ("userId", type, provider, "providerAccountId") VALUES (4, 'oauth', 'github', '583231');
