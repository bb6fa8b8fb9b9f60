type Names = readonly (readonly [sign: string, name: string])[]

/**
 * The first sign that occurs decides. Nearly every browser also sends the signs of the ones that it
 * descends from, so these come last.
 */
const BROWSERS: Names = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['Edge/', 'Edge'],
  ['OPR/', 'Opera'],
  ['OPT/', 'Opera'],
  ['OPiOS/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['YaBrowser/', 'Yandex Browser'],
  ['DuckDuckGo/', 'DuckDuckGo'],
  ['Ddg/', 'DuckDuckGo'],
  ['FxiOS/', 'Firefox'],
  ['Focus/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['Trident/', 'Internet Explorer'],
  ['MSIE ', 'Internet Explorer'],
]

const SYSTEMS: Names = [
  ['Windows', 'Windows'],
  ['iPhone', 'iOS'],
  ['iPod', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
  ['FreeBSD', 'FreeBSD'],
  ['OpenBSD', 'OpenBSD'],
]

/** Browsers send fewer characters. A client chooses the header, so the search has an end. */
const MAX_CHARACTERS = 512

/**
 * Returns the names of the browser and the system that a `User-Agent` claims; `null`:
 * unknown. A client can claim any browser, but put no text of its own into the answer.
 *
 * @see RFC 9110, section 10.1.5
 */
export function browserOf(userAgent: string | null) {
  const header = (userAgent ?? '').slice(0, MAX_CHARACTERS)
  return { browser: nameIn(BROWSERS, header), system: nameIn(SYSTEMS, header) }
}

function nameIn(names: Names, header: string): string | null {
  return names.find(([sign]) => header.includes(sign))?.[1] ?? null
}
