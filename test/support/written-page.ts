const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** Reads the settings that the service has written into a page of the panel. */
export function writtenPage(html: string): unknown {
  const [, escaped = ''] = /\sdata-svc-page="([^"]*)"/.exec(html) ?? []
  return JSON.parse(
    escaped.replaceAll(/&([#\w]+);/g, (whole, name: string) => ENTITIES[name] ?? whole),
  )
}
