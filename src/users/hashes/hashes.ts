/*
 * Forms in which other systems store password hashes. A host names those of its users table in the
 * option `passwords.formats`; a hash is replaced by one of this service at the next login.
 *
 * Laravel, Devise, bcryptjs and every other system that stores bcrypt or argon2 needs none of them.
 */
export { betterAuth, lucia, lucia1 } from './scrypt-formats.ts'
export { adonis, passlib, phoenix, werkzeug } from './phc-formats.ts'
export { django } from './django.ts'
export { spring } from './spring.ts'
export { aspNetIdentity } from './asp-net-identity.ts'
export { wordpress } from './wordpress.ts'
export { passportLocalMongoose, payload, saltedHash } from './salted-formats.ts'
export type {
  DerivedKey,
  EncodedHash,
  HashFormat,
  Pbkdf2Hash,
  PhpassHash,
  ScryptHash,
} from '../../contracts/hash-format.ts'
