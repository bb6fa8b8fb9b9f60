// Writes the list of common passwords. The list changes rarely, so it is part of the sources:
// npm install --no-save @zxcvbn-ts/language-common@4.1.3 && node scripts/common-passwords.mjs
import { writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

const LIST = 'src/core/accounts/common-passwords-list.ts'
/** As many short words are listed, because people add digits to them. */
const WORDS = 5000

const { dictionary } = await import('@zxcvbn-ts/language-common')
const ranked = dictionary['passwords-common']
const words = ranked.filter((entry) => /^[a-z]{4,7}$/.test(entry)).slice(0, WORDS)
const list = [...words, ...ranked.filter((entry) => entry.length >= 8)].toSorted((one, other) =>
  one < other ? -1 : 1,
)
const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
const compressed = brotliCompressSync(list.join('\n'), { params: quality }).toString('base64')
writeFileSync(
  LIST,
  `/*!
 * The ${list.length} most common passwords of at least 8 characters, and words of 4 to 7 letters, sorted,
 * as lines that are compressed with Brotli. From @zxcvbn-ts/language-common 4.1.3, MIT License,
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 @zxcvbn-ts.
 * Written by scripts/common-passwords.mjs.
 */
export const compressedPasswords =
  '${compressed}'
`,
)
