const BYTE_ORDER_MARK = /^\uFEFF/
const XML_DECLARATION = /^<\?xml[^>]*\?>\s*/i
/**
 * The root element, after any comments and document type. A comment ends at its first `-->` alone,
 * so that many of them are not tried in every division.
 */
const SVG_ROOT = /^(?:<!--(?:[^-]|-(?!->))*-->\s*|<!doctype[^>]*>\s*)*<svg(?=[\s/>])[^>]*/i

/**
 * Returns a value for the `src` of an `<img>`: SVG markup as a data URL, anything else unchanged.
 * Inside `<img>` a browser neither runs scripts of an SVG image nor loads its references.
 *
 * @returns `null` for markup other than SVG, which no `<img>` displays.
 */
export function imageSource(image: string): string | null {
  // The data URL is UTF-8, so a declared encoding would be wrong.
  const text = image.replace(BYTE_ORDER_MARK, '').trim().replace(XML_DECLARATION, '')
  if (!text.startsWith('<')) return text === '' ? null : image
  const [root] = SVG_ROOT.exec(text) ?? []
  if (root === undefined) return null
  // HTML does not require the namespace; an image does.
  const markup = /\sxmlns\s*=/i.test(root)
    ? text
    : text.replace(/<svg/i, '<svg xmlns="http://www.w3.org/2000/svg"')
  return `data:image/svg+xml;base64,${Buffer.from(markup).toString('base64')}`
}
