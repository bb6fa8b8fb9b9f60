/** Renders placeholders for lines of text that are loading. */
export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div aria-hidden="true" data-svc-part="skeleton">
      {Array.from({ length: lines }, (_, line) => (
        // oxlint-disable-next-line react/no-array-index-key -- stateless, in fixed order
        <span key={line} />
      ))}
    </div>
  )
}
