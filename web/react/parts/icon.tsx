export interface IconProps {
  /** The path, in a box of 24 by 24. */
  readonly path: string
  /** Width and height, in CSS pixels beside text of the usual size; it grows with the text. */
  readonly size: number
}

/** Renders a line drawing in the colour of the text, hidden from screen readers. */
export function Icon({ path, size }: IconProps) {
  const side = `${size / 16}rem`
  return (
    <svg
      viewBox="0 0 24 24"
      width={side}
      height={side}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
