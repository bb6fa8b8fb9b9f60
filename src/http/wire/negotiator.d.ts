// The parts of negotiator that the service uses: for languages and encodings. The whole package
// would bring those for media types and character sets, too. The bundle has the pinned version.

declare module 'negotiator/lib/*.js' {
  /** Returns what a header such as `Accept-Language` admits, the best first. */
  export default function preferred(header: string, available: readonly string[]): readonly string[]
}
