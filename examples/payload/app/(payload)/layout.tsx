import config from '@payload-config'
import '@payloadcms/next/css'
import { handleServerFunctions, RootLayout } from '@payloadcms/next/layouts'
import type { ServerFunctionClient } from 'payload'
import type { ReactNode } from 'react'
import { actionUser, hasPageUser } from '../../lib/page-user'
import { importMap } from './cms/importMap.js'

const serverFunction: ServerFunctionClient = async (args) => {
  'use server'
  await actionUser('/cms')
  return handleServerFunctions({ ...args, config, importMap })
}

export default async function Layout({ children }: { readonly children: ReactNode }) {
  // A guest gets nothing of Payload: the page redirects to the login.
  if (!(await hasPageUser())) {
    return (
      <html lang="en">
        <body>{children}</body>
      </html>
    )
  }
  return (
    <RootLayout config={config} importMap={importMap} serverFunction={serverFunction}>
      {children}
    </RootLayout>
  )
}
