const BYTE_ORDER_MARK = /^\uFEFF/
const XML_DECLARATION = /^<\?xml[^>]*\?>\s*/i
/** Whatever may stand before the root element: comments and a document type. */
const SVG_ROOT = /^(?:<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*)*<svg(?=[\s/>])[^>]*/i

/**
 * Returns what the `src` of an `<img>` takes: SVG markup as a data URL, anything else as it is. Inside `<img>` a
 * browser runs no script of an SVG image and loads nothing that it names.
 *
 * @returns `null`: markup that is no SVG, which no `<img>` displays.
 */
export function imageSource(image: string): string | null {
  // The declared encoding would be wrong: the data URL is UTF-8.
  const text = image.replace(BYTE_ORDER_MARK, '').trim().replace(XML_DECLARATION, '')
  if (!text.startsWith('<')) return text === '' ? null : image
  const [root] = SVG_ROOT.exec(text) ?? []
  if (root === undefined) return null
  // HTML does without the namespace, an image does not.
  const markup = /\sxmlns\s*=/i.test(root)
    ? text
    : text.replace(/<svg/i, '<svg xmlns="http://www.w3.org/2000/svg"')
  return `data:image/svg+xml;base64,${Buffer.from(markup).toString('base64')}`
}
