import {
  adonis,
  aspNetIdentity,
  betterAuth,
  django,
  lucia,
  lucia1,
  passlib,
  passportLocalMongoose,
  payload,
  phoenix,
  saltedHash,
  spring,
  werkzeug,
  wordpress,
} from '@svc/auth/hashes'
import type { HashFormat } from '@svc/auth/hashes'
import { payloadHash, passportHash } from './salted-hashes.ts'

/** The password of most vectors. */
export const right = 'correct horse é'
const quoted = String.raw`it's "a" \ test`
const microsofts = 'my password'

/**
 * Hashes by the name, the format and the password.
 *
 * Made by the published code of each system: better-auth 1.7.25, lucia 3.2.2, @adonisjs/hash
 * 10.1.1, argon2 (npm) as AdonisJS uses it, passlib 1.7.4, Django 5.2.17, Werkzeug 3.1.9 and 2.2.2,
 * phpass and WordPress 6.8's wp_hash_password on PHP 8.2, payload 3.90.2, passport-local-mongoose
 * 9.2.0. Those of ASP.NET Core Identity, pbkdf2_elixir and the `pbkdf2` of Spring Security 5.8 are from their own
 * tests, and the others of Spring Security from its documentation.
 */
export const vectors: readonly (readonly [string, HashFormat, string, string])[] = [
  [
    'Better Auth',
    betterAuth,
    right,
    '6336ecd267890777f485a9ee2cc49f3a:18b610921bcb1ae5d0b456e0c16e38c5998dbd0742abcbd1cd588dcd3c88e60d7f5fa0e9dec1e3daccdebbe92197a4519a836454c1833be242d7e7d11b29b5db',
  ],
  [
    'Lucia 3',
    lucia,
    right,
    'd9e1c8ff4b0ffb0b09aa64fdc5d8f1b3:1041037b92897fcf5be4edb28b7685996d7343c930427d85957417abadf57564feb2bcce21bb5d997ad1094c28bad687cf9c4b5b7ebfc3f568db98cb6e7c330c',
  ],
  [
    'Lucia 2',
    lucia,
    right,
    's2:2e8968c12199c5db164e056cfc43d88f:bcbab5fa295925522016c840292d3f3d40082e50423193d97bcc1323ef858185485eaae91471f611ec34ea066ee5b924e5deceb4a98576f52aa3f5263ccbe897',
  ],
  [
    'Lucia 2, with the format of Lucia 1',
    lucia1,
    right,
    's2:2e8968c12199c5db164e056cfc43d88f:bcbab5fa295925522016c840292d3f3d40082e50423193d97bcc1323ef858185485eaae91471f611ec34ea066ee5b924e5deceb4a98576f52aa3f5263ccbe897',
  ],
  [
    'Lucia 1',
    lucia1,
    right,
    '0123456789abcdef:bb1b5ae571a5dfbe30eb35dbd5c8753380cdecf784ffaa493533a9aaddd783dcf5d59fb5f582f163a73fb27f25ae3dd75cdb0b81320b7f62c8e6559ef76709b3',
  ],
  [
    'AdonisJS, scrypt',
    adonis,
    right,
    '$scrypt$n=16384,r=8,p=1$2odYSlFd1XKD/Ct10KCmHg$xUoITbL3sEMKk4eCtDeVx/HbxEwzJ/RJZPpdNwocAT6D9B5DMH5mcC7jksuFyhL80moRT4J26HUR8Qk/Sq4ZwA',
  ],
  [
    'AdonisJS, bcrypt',
    adonis,
    right,
    '$bcrypt$v=98$r=10$jjqwcDCr4SRhEBzUWaE4LA$+8jv9gFZIzIISbm6bSqXS+5WiBZxwGE',
  ],
  [
    'AdonisJS, bcrypt in its version a',
    adonis,
    right,
    '$bcrypt$v=97$r=10$GYPBE6P1fFLtAL59HbR0Ng$+R5zGof1A3JDMbkwsFhiVgBU9ubkHYw',
  ],
  [
    'AdonisJS, argon2',
    adonis,
    right,
    '$argon2id$v=19$m=4096,t=3,p=1$Y6Ch6OpPjYpSnA6EazPIBA$P33ngZdmeOJPVF0jyJSZFinTLHMJPTlvSUq/XwL/cOY',
  ],
  [
    'Django, pbkdf2_sha256',
    django,
    right,
    'pbkdf2_sha256$10000$L2CjHm3HWGxGgVRndzl2Rz$UyK6cHivCxSN1D7T/Byx3AYKdUTZYM4mNZ6VXxw81yk=',
  ],
  [
    'Django, pbkdf2_sha1',
    django,
    right,
    'pbkdf2_sha1$10000$RVrSNE79xEA6SCZ3uKF6Ii$+GJXUf8ojx4CLN3BLobM+i5uQ70=',
  ],
  [
    'Django, scrypt',
    django,
    right,
    'scrypt$16384$iD2WXenm6m1Jx4AziChdLv$8$5$F0LqENQZy8AJzvg6xQzokEcVXAteaC1bIuG6BQ9ytbj4HVeSmrEuHXGI0wuKcocd0bVQLbsfKs6J6kqcAN3C3Q==',
  ],
  [
    'Django, bcrypt_sha256',
    django,
    right,
    'bcrypt_sha256$$2b$04$eKA35LGD0DD2lyi92ivYBO8lTZOa2F5HMpZ9jZ3CbyzKFMz5iRPM2',
  ],
  [
    'Django, bcrypt',
    django,
    right,
    'bcrypt$$2b$04$1pHoy4p/.DWEOJ/7.e4MPugWsNv7PKegzc4HgUe7/UobpUQYbkuA.',
  ],
  [
    'Django, argon2',
    django,
    right,
    'argon2$argon2id$v=19$m=102400,t=2,p=8$TFJpUXBNMjNMZUUzYVByYkIyNXdHdw$3RnP6sAqrbWOWyKq8jl49tTBOTuXGW7gcKXJiRu84c0',
  ],
  [
    'Werkzeug, scrypt',
    werkzeug,
    right,
    'scrypt:32768:8:1$BhcYVnMh6UwvTbcG$7e4f9af26bf5d8ed3e7b377ea6845981b64333c281dce4fbb939127d24dcd99c2b3556eb0d6287aeff70464b77b69de51217fa60bca5fb84ea0e6417e7888e51',
  ],
  [
    'Werkzeug, scrypt in two lanes',
    werkzeug,
    right,
    'scrypt:16384:8:2$r9wxVxQRbmKZlVdR$0cc1c8641021e03ce29136334174534bfaccb626ff5c681d96f73c424844593e1d300f4049b85d6187b1f7aaf9fd27ecaa06a2fe01e2d32b630d832480bfbbb0',
  ],
  [
    'Werkzeug, SHA-256',
    werkzeug,
    right,
    'pbkdf2:sha256:10000$tGv35Si9zG9vT9Wv$30b768f88072208ea94f267b7fc028f6abb68b122aedcb47bf845d8fcdfdc48d',
  ],
  [
    'Werkzeug, SHA-512',
    werkzeug,
    right,
    'pbkdf2:sha512:1000$xmnU2V84BtUrFByy$8e69848cc55a2e42afa44176a88a366113058cb8a02773be170afd56c4121e502d8457c6929854690c077bb5d55e7a018d9575f6f52ec26317bcd9aa3e337bbe',
  ],
  [
    'Werkzeug, SHA-224',
    werkzeug,
    right,
    'pbkdf2:sha224:1000$UhICOT0Q5CcPO8A9$09ea3d973adb41097f17d608758f23d3210693d5b8a2de64037d9ee0',
  ],
  [
    'Werkzeug, SHA-384',
    werkzeug,
    right,
    'pbkdf2:sha384:1000$fPqhcFau0sP9gPNM$9991c85fe546f80c24b969b3a965210ff13f0eae62205a31b754158b68a7696166c3c288e62e0f2922db3d642a4a605a',
  ],
  [
    'Werkzeug, SHA-1',
    werkzeug,
    right,
    'pbkdf2:sha1:1000$KnYWda3rkd19cZ7m$9da93f8aee24473064988bd50c6c050bf8ce27b7',
  ],
  [
    'ASP.NET Core Identity 3, SHA-256',
    aspNetIdentity,
    microsofts,
    'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
  ],
  [
    'ASP.NET Core Identity 3, SHA-1',
    aspNetIdentity,
    microsofts,
    'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
  ],
  [
    'ASP.NET Core Identity 3, SHA-512',
    aspNetIdentity,
    microsofts,
    'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
  ],
  [
    'ASP.NET Core Identity 3, 250,000 iterations',
    aspNetIdentity,
    microsofts,
    'AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=',
  ],
  [
    'ASP.NET Core Identity 2',
    aspNetIdentity,
    microsofts,
    'ANXrDknc7fGPpigibZXXZFMX4aoqz44JveK6jQuwY3eH/UyPhvr5xTPeGYEckLxz9A==',
  ],
  ['WordPress, phpass', wordpress, right, '$P$BKexupjtcN8tkumHaZpvtqpRRJNSJ10'],
  [
    'WordPress 6.8',
    wordpress,
    right,
    '$wp$2y$04$QVg2Tk9ddekeZW50zB6fu.KZDPgou5hWXjh7F.eavpik.xBlp7vQ6',
  ],
  ['WordPress, phpass, with quotes', wordpress, quoted, '$P$B2jLg72wwPfPO9DN9iypsUolPsMVa31'],
  [
    'WordPress 6.8, with quotes',
    wordpress,
    quoted,
    '$wp$2y$04$FjdFHawGy0/kQkSUOfWqBuXCpRj3PrRZrwUNsk/rm/sNSlATZsRWG',
  ],
  [
    'WordPress with a plugin that stores bcrypt, with quotes',
    wordpress,
    quoted,
    '$2y$04$abcdefghijklmnopqrstuukxLNt0HA5/ibOXTNna9GAJyNx1/Sxzq',
  ],
  [
    'passlib, SHA-256',
    passlib,
    right,
    '$pbkdf2-sha256$29000$8R4jZKyVsnbu/V/r3bsXog$pmOpdQaiP0tZJKNrr/PI2jFpr1uYz.fkl6n64sDPZWA',
  ],
  [
    'passlib, SHA-512',
    passlib,
    right,
    '$pbkdf2-sha512$1000$EKIU4nzvPadUKuUc43xvLQ$3xE2DGB19Z9oU9ZWu7oLY/afhCe56RHRjWMELItj/x8M2kLLnwbBehr21WudbUkkWGyo8uHF2EemuOwu8xBb7w',
  ],
  ['passlib, phpass', passlib, right, '$P$67duvZhdvk4ax65OL4Vf1abIjq3MRy1'],
  [
    'passlib, SHA-1',
    passlib,
    right,
    '$pbkdf2$1000$L0XIWavVGiMkpJQSQkhJqQ$Wo05R5w0km9615Ve5SKAUvIiDS8',
  ],
  [
    'Phoenix, SHA-512',
    phoenix,
    'passDATAb00AB7YxDTT',
    '$pbkdf2-sha512$100000$c2FsdEtFWWJjVGNYSENCeHRqRA$rM3Nh5iuXNhYBHOQFe8qEeMlkbe30W92gZswsNSdgOGr6myYIrgKH9/kIeJvVgPsqKR6ZMmgBPta.CKfdi/0Hw',
  ],
  [
    'Phoenix, SHA-256',
    phoenix,
    'funferal',
    '$pbkdf2-sha256$60000$wCf4fwslR/xKS/RGgRszRw$p1XmqbB8u/EfvftMDoLyL4ZcVKT6Nz.Y4E/8xuoRePA',
  ],
  [
    'Spring Security, bcrypt',
    spring,
    'password',
    '{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG',
  ],
  [
    'Spring Security, pbkdf2',
    spring,
    'password',
    '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc',
  ],
  [
    'Spring Security 5.8, pbkdf2',
    spring,
    'password',
    '{pbkdf2@SpringSecurity_v5_8}fefe5120467e5d4ccff442dbb2fa86d276262d97435c0c54e5eebced51ffd144fcb05eb53fea2677216c4f3250010006',
  ],
  [
    'Spring Security, scrypt',
    spring,
    'password',
    '{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=',
  ],
  [
    'Spring Security, argon2, in the hash of AdonisJS',
    spring,
    right,
    '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=4096,t=3,p=1$Y6Ch6OpPjYpSnA6EazPIBA$P33ngZdmeOJPVF0jyJSZFinTLHMJPTlvSUq/XwL/cOY',
  ],
  ['Payload', payload, right, saltedHash(payloadHash.hash, payloadHash.salt) ?? ''],
  [
    'passport-local-mongoose',
    passportLocalMongoose,
    right,
    saltedHash(passportHash.hash, passportHash.salt) ?? '',
  ],
]
