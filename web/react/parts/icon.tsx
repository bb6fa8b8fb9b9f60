export interface IconProps {
  /** The path, in a box of 24 by 24. */
  readonly path: string
  /** Width and height, in CSS pixels. */
  readonly size: number
}

/** Renders a line drawing in the colour of the text, hidden from screen readers. */
export function Icon({ path, size }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
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
