/** Returns the titles of the headings of a page, in order. */
export function titlesOf(page: string): readonly string[] {
  const text = page.replaceAll(/^```.*?^```/gms, '')
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) => title)
}

/** Returns the fragment that a heading of this title has on the web pages of a Git host. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
