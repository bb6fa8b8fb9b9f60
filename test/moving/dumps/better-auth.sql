-- A database of Better Auth 1.7.25 with the plugin twoFactor, on PostgreSQL.
-- Better Auth itself made the tables, by its migrations, and the rows, by its API. Everybody's password is that of the
-- tests. The codes of Cy are encrypted with the second of two secrets, those of the others with the first:
-- BETTER_AUTH_SECRET=the secret that Better Auth had from its first day
-- BETTER_AUTH_SECRETS=2:the secret that Better Auth has had since 2026

create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" boolean not null, "image" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null, "twoFactorEnabled" boolean);

create table "session" ("id" text not null primary key, "expiresAt" timestamptz not null, "token" text not null unique, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text, "userId" text not null references "user" ("id") on delete cascade);

create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text, "password" text, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz not null);

create table "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" timestamptz not null, "createdAt" timestamptz default CURRENT_TIMESTAMP not null, "updatedAt" timestamptz default CURRENT_TIMESTAMP not null);

create table "twoFactor" ("id" text not null primary key, "secret" text not null, "backupCodes" text not null, "userId" text not null references "user" ("id") on delete cascade, "verified" boolean, "failedVerificationCount" integer, "lockedUntil" timestamptz);

create index "session_userId_idx" on "session" ("userId");

create index "account_userId_idx" on "account" ("userId");

create index "verification_identifier_idx" on "verification" ("identifier");

create index "twoFactor_secret_idx" on "twoFactor" ("secret");

create index "twoFactor_userId_idx" on "twoFactor" ("userId");

insert into "user" ("id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled")
values ('8b0NfJt8aoiPYcYUM5oaMeABCBfDi75G', 'Rex', 'rex@example.com', false, null, '2026-11-23T06:32:23.655Z', '2026-11-23T06:32:23.655Z', false);
insert into "user" ("id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled")
values ('8RorJa39g1RSoJ5fS8yzIOSb2JDIQgi0', 'Ada Lovelace', 'ada@example.com', true, null, '2026-11-23T06:32:22.934Z', '2026-11-23T06:32:23.494Z', true);
insert into "user" ("id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled")
values ('PI63UYRQY0qAa0OEoxvMIMF1aAJ2jNe7', 'Eve', 'eve@example.com', true, null, '2026-11-23T06:32:23.837Z', '2026-11-23T06:32:23.837Z', false);
insert into "user" ("id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled")
values ('PqXDerWq1m8u6aXtHrHUofsnY2K7rC0r', 'Max', 'max@example.com', true, null, '2026-11-23T06:32:24.234Z', '2026-11-23T06:32:24.555Z', true);
insert into "user" ("id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "twoFactorEnabled")
values ('VHL34h2jfsQCEk0niC82jmzZPyYlUW6Y', 'Cy', 'cy@example.com', true, null, '2026-11-23T06:32:24.740Z', '2026-11-23T06:32:25.077Z', true);
insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", "scope", "password", "createdAt", "updatedAt")
values ('V2WpQzkC5KVb1ZsLpF04Zi5npNnmmNhr', '8RorJa39g1RSoJ5fS8yzIOSb2JDIQgi0', 'credential', '8RorJa39g1RSoJ5fS8yzIOSb2JDIQgi0', null, null, null, null, null, null, 'c96ca79be4c69997b22ffccbc8a34a1c:01f45e5485e42ccb2be3874abc41caa54f8183bd82464e3cef165e521b14038c3a438ccfc6fdeee8ac832bcf5fededef0208f9bfb342081176165d0d4eeb473f', '2026-11-23T06:32:22.944Z', '2026-11-23T06:32:22.944Z');
insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", "scope", "password", "createdAt", "updatedAt")
values ('mxSYsoBRsLiR6Of9vHHuTHmBtCcToePE', '8b0NfJt8aoiPYcYUM5oaMeABCBfDi75G', 'credential', '8b0NfJt8aoiPYcYUM5oaMeABCBfDi75G', null, null, null, null, null, null, 'bf2993c567b3d1ea75d18d9406b33de9:8a790cb696e491cacd8a6e50be6f528b310219747cd18d426c80fe9d511aee9763b14cd6adcdfffd70ec32df929ae7a9e4fc33709abbd27384d103462ae899dd', '2026-11-23T06:32:23.657Z', '2026-11-23T06:32:23.657Z');
insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", "scope", "password", "createdAt", "updatedAt")
values ('s9eBe5ZYkUWHh7d0XI0J03TMIEsQDR9u', 'PI63UYRQY0qAa0OEoxvMIMF1aAJ2jNe7', 'credential', 'PI63UYRQY0qAa0OEoxvMIMF1aAJ2jNe7', null, null, null, null, null, null, '604fbcb69654a349297f7bf1bd5b18cb:e9c18cbdb9654df67769ae551768a8a5e318b2e5d4c72333b452010dd37e8e4cb34e8606a5aa915593be389090cd15fecc0924ff64e177ea8959228a90634f34', '2026-11-23T06:32:23.839Z', '2026-11-23T06:32:23.839Z');
insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", "scope", "password", "createdAt", "updatedAt")
values ('lzUjkT8ncsRvaviBzHLuDUlcnCby7ObB', 'PqXDerWq1m8u6aXtHrHUofsnY2K7rC0r', 'credential', 'PqXDerWq1m8u6aXtHrHUofsnY2K7rC0r', null, null, null, null, null, null, '6075ab37c6ae037771f45fd39d75474e:ad48757b786783c47965e993c5cc2909767cd00a68f88eae45942cc4748eac0387505a7192144a7a181e58834f2073bcf0e05d2c0cf413c3a4815dc9fdbf97cf', '2026-11-23T06:32:24.235Z', '2026-11-23T06:32:24.235Z');
insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken", "accessTokenExpiresAt", "refreshTokenExpiresAt", "scope", "password", "createdAt", "updatedAt")
values ('ZW3eMF016lx4hLnN3vflgYKISeFYWIbk', 'VHL34h2jfsQCEk0niC82jmzZPyYlUW6Y', 'credential', 'VHL34h2jfsQCEk0niC82jmzZPyYlUW6Y', null, null, null, null, null, null, '2f71b0b48ae6a8aeb099bbd371be00bd:34c702cb2e13298b89acd835468308c5c01dd91e480244fc02e3b003c7dee43a82fe16851fd98366bb0020f6e45792b5bb321a2a72e1925c78f2f43191dd787c', '2026-11-23T06:32:24.747Z', '2026-11-23T06:32:24.747Z');
insert into "twoFactor" ("id", "secret", "backupCodes", "userId", "verified", "failedVerificationCount", "lockedUntil")
values ('AHYPSO7ENZkDHwiLZqk9XnxmZPjDUrDA', '4563ada64c8e2d40b50871f113c00ed2384f8a83d2e7f7438fe5c67804460b101f11cdc1abfbeb86026be8e64d31057f13d8a144445f199f71294fc4bea322919fbffdde651410ab', '51c48eb3a140754dec94c46f5acc1a896c9e1d630c83d4a27fa40be86f9296780bca7a0caa6d9f1259e401da5a9170e6e664cdac40dcd2b2ccaf5be3c875c575f02bc2ef8c44a39ba9d46819cbc2a3e4e4f3caa06e655ad244645ce14cee9acb1beef10cbe7337a0a3d160d035514c66f28c704a95a018cc60fa767a4d4f3a586bde99fe5478f82bf06ab2e22b8a8a4534d26a6c45de3ef61c5171f6ec90ff54c7f234f27dd8d25cb73544a221a7476b3306393552', '8RorJa39g1RSoJ5fS8yzIOSb2JDIQgi0', true, 0, null);
insert into "twoFactor" ("id", "secret", "backupCodes", "userId", "verified", "failedVerificationCount", "lockedUntil")
values ('V9O86tCAhXcxzSXiM0n57TW5thJilFL2', 'dd37048a0da6787db5a6aa481c3d2e131b1b207e295bb75a662471deb2ad1d8275db597035147d2735217275b0391bb8692d29b6597ea0f81475d13ffe498d360fc37f2268247ba0', 'cc38ea5d703764f6c0efb31416ba601f1fedb2e73e3cd3639fafe290e601471c08a965252ef4fdb3f7f4615ee65fbca1eab36ba0bdfddc9f71ba5bb7ab67cdb69a244c6226cf6e6df7855518f0e38b1db2e852cc06f7b81d1afa621bc4deb2d0239d4161f0031bf61eb287ed0e3adef3f5d2ef08a01f46836fbbc09666e5270a207ec550335326c0a1fb96b02013f41c056be4dfe4b11ec77295e50aaae447d6d3b070ad21edd3c0a9bf046bf948a273fbd2718ae7', 'PI63UYRQY0qAa0OEoxvMIMF1aAJ2jNe7', false, 0, null);
insert into "twoFactor" ("id", "secret", "backupCodes", "userId", "verified", "failedVerificationCount", "lockedUntil")
values ('aE1d07Y1ZYuDxVlKMv24dpzvBWzE5zxz', '$ba$2$de7a4a604d25db2d880df830a5ff36e2335e7d1907a909879de37e981157393646a37df284dc4327b3ce9f4738d773d923c79a367d64c46f1001d602b8af508a8ed64647124e0919', '$ba$2$9da62c6f9666980dfdc6d6b4930bde420e2ee7de5fe06a74dc1f1a6cf793c9af656ef3e649f1fd24a1aa25b6dad4884ba957a7ffbe33e017376375559301165d17fef97c1cd355dd36f51c2493c62bf794e2ca7f78da0a88e20a45b0ab4ceade3c68a984b83d1cbd380def5269c484ce6e4e5bd38ed175cf6d98d8eebe60e7e36ed1a4f3a1c215dcd86e574205096e39e6e96e2b8d3c91376d1116371e2a6caf4f18c06a7cbec4cbb2b36d097ccf7cf5411a981576', 'VHL34h2jfsQCEk0niC82jmzZPyYlUW6Y', true, 0, null);
