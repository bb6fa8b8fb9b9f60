import { answer } from './app.ts'

export default {
  port: Number(process.env['PORT'] || 3000),
  idleTimeout: 60, // Bun ends idle connections after 10 seconds; the bell's stream writes every 25
  fetch(request: Request, server: Connections): Promise<Response> {
    return answer(request, server.requestIP(request)?.address ?? null)
  },
}

/** The part of Bun's `Server` that this file uses. For the whole type, install `@types/bun`. */
interface Connections {
  requestIP(request: Request): { readonly address: string } | null
}
