-- The tables of Lucia 3 in SQLite, as its documentation defines them, with the columns that its guides "Email and password"
-- and "Two-factor authorization" add. Its class Scrypt and the Argon2id of oslo made the hashes. Everybody's password is
-- that of the tests.

CREATE TABLE user (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    email_verified INTEGER NOT NULL DEFAULT 0,
    two_factor_secret TEXT
);

CREATE TABLE session (
    id TEXT NOT NULL PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    FOREIGN KEY (user_id) REFERENCES user(id)
);

INSERT INTO user VALUES
  ('p5cs4e7fz2gh3bqa', 'ada@example.com', 'c71f942e64471062b288764406f8ba4d:354fda30696c071511e31488fe621364e9303d41d40b3ac0cd909ce6b93848fa1172c95be7cb23a8aedd88afd8a1333687c8dcf098624900818cd3b0ba36bb30', 1, '8c1f6d2ab37e904512d3f0a96b7c5e18429d3a77'),
  ('k2m7xw3v5t9ry6na', 'rex@example.com', 'ae7ef11edf3da5fc946037973f861548:b58782e4fcfe860af4a5d1b07001178fdea1572a60e8bec6c14efb74c3f795c8111c6aca25a867668706b0e36d4abab3d216d983bc49216c7eb34e4b1e79e669', 0, NULL),
  ('d4h8jq6n2c5sv7wb', 'max@example.com', '$argon2id$v=19$m=19456,t=2,p=1$hsmf+Fbor2cL4UkKeezVkg$+awZld4no4zLJS2xVgtxYRLdf58Yb130j0CiqlU56hg', 1, NULL);
