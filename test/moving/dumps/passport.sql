-- The users table of passport's own example application (todos-express-password), in SQLite. The hashes are made as it makes
-- them: crypto.pbkdf2(password, salt, 310000, 32, 'sha256'). Everybody's password is that of the tests.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    username TEXT UNIQUE,
    hashed_password BLOB,
    salt BLOB
  );

INSERT INTO users (username, hashed_password, salt) VALUES
  ('ada@example.com', x'9c330ec6cd58f7a51dbd4459fa060483c3a2bd689922307897354f90d54206dc', x'2453ea7ccc7233c6fbf63e6c29364e83'),
  ('alice', x'545c2f91396ede7ad10a14423c8147807ee96bf54cbed3715ad2592a957f8ac7', x'bb57ee8dc26ac545f431a3d9dc9b03ac'),
  ('Rex@example.com', x'897d43e1f53341cb2e6bffcdce6c9f9ab20b31974a9cb120b407b5e022879c49', x'908e0f1cb2be459b527dfa69d8062732');
