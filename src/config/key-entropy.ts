/** Rows in which neighbours are typed one after the other, besides letters and digits in order. */
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop', 'yxcvbnm']

const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
]

/** The bits of a character that follows from those before it. */
const FORESEEN_BITS = 0.25

/**
 * Estimates from above how many bits somebody must guess who knows the kinds of characters. A
 * character that continues a sequence or repeats what the key had before adds little. Words count
 * as if their letters were random.
 */
export function entropyOf(key: string): number {
  const bits = Math.log2(alphabetOf(key))
  const text = key.toLowerCase()
  let sum = 0
  for (let index = 0; index < text.length; index += 1)
    sum += continues(text, index) || repeats(text, index) ? FORESEEN_BITS : bits
  return sum
}

function alphabetOf(key: string): number {
  if (/^(?:[\da-f]+|[\dA-F]+)$/.test(key)) return 16
  return CLASSES.reduce((sum, [pattern, size]) => (pattern.test(key) ? sum + size : sum), 0)
}

/** Distances at which sequences are interleaved, as in `1q2w3e` or `aZ1bY2cX3`. */
const LAGS = [1, 2, 3, 4]

/** Returns whether those before lead to this character: `abc`, `321`, `aaa`, `qwe`, `aabbcc`. */
function continues(text: string, index: number): boolean {
  if (isNextOf(text, index, { lag: 1, maxStep: 1 })) return true
  // Random characters fulfil one of these by chance, and rarely two.
  return LAGS.some((lag) => isNextOf(text, index, { lag }) && isNextOf(text, index - 1, { lag }))
}

/** Returns whether a character has the distance to the one before that this one has to its own. */
function isNextOf(
  text: string,
  index: number,
  { lag, maxStep = Infinity }: { readonly lag: number; readonly maxStep?: number },
): boolean {
  if (index < 2 * lag) return false
  const three = [index - 2 * lag, index - lag, index].map((at) => text.charAt(at))
  const [first = 0, second = 0, third = 0] = three.map((one) => one.charCodeAt(0))
  const step = third - second
  if (step === second - first && Math.abs(step) <= maxStep) return true
  const [forwards, backwards] = [three.join(''), three.toReversed().join('')]
  return KEYBOARD_ROWS.some((row) => row.includes(forwards) || row.includes(backwards))
}

/** Returns whether the last three characters occur earlier in the text. */
function repeats(text: string, index: number): boolean {
  if (index < 3) return false
  return text.lastIndexOf(text.slice(index - 2, index + 1), index - 3) >= 0
}
