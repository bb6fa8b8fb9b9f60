/** Metrics as Prometheus fetches them. */
interface Scraped {
  readonly text: () => Promise<string>
}

/** The value of the first line of a metric with these labels, as in `name{label="value"}`. */
export async function valueOf({ text }: Scraped, labelled: string): Promise<number | null> {
  const [name = '', labels = ''] = labelled.split('{')
  const wanted = labels.replace('}', '').split(',').filter(Boolean)
  const lines = (await text()).split('\n')
  const line = lines.find(
    (one) =>
      (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) &&
      wanted.every((label) => one.includes(label)),
  )
  return line === undefined ? null : Number(line.split(' ')[1])
}

/** The number of series, and so of the lines that Prometheus keeps. */
export async function seriesOf({ text }: Scraped): Promise<number> {
  return (await text()).split('\n').filter((line) => line.startsWith('svc_auth_')).length
}
