import config from '@payload-config'
import { generatePageMetadata, RootPage } from '@payloadcms/next/views'
import { pageUser } from '../../../../lib/page-user'
import { importMap } from '../importMap.js'

interface Props {
  readonly params: Promise<{ segments: string[] }>
  readonly searchParams: Promise<Record<string, string | string[]>>
}

export const generateMetadata = ({ params, searchParams }: Props) =>
  generatePageMetadata({ config, params, searchParams })

export default async function Page({ params, searchParams }: Props) {
  const { segments = [] } = await params
  const query = new URLSearchParams((await searchParams) as Record<string, string>)
  await pageUser(`/${['cms', ...segments].join('/')}?${query}`)
  return RootPage({ config, params, searchParams, importMap })
}
