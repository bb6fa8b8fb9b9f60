// The two parts of negotiator that the service uses. The whole package would bring those for media
// types and character sets, too. The bundle contains the pinned version.

declare module 'negotiator/lib/language.js' {
  /** Returns the tags that the header `Accept-Language` admits, the best first. */
  export default function preferredLanguages(
    header: string,
    available: readonly string[],
  ): readonly string[]
}

declare module 'negotiator/lib/encoding.js' {
  /** Returns the encodings that the header `Accept-Encoding` admits, the best first. */
  export default function preferredEncodings(
    header: string,
    available: readonly string[],
  ): readonly string[]
}
