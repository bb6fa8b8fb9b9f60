/** Renders placeholders for lines of text that are loading. */
export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div aria-hidden="true" data-svc-part="skeleton">
      {Array.from({ length: lines }, (_, index) => `line ${index}`).map((name) => (
        <span key={name} />
      ))}
    </div>
  )
}
