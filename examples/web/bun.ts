import { answer } from './app.ts'

export default {
  port: Number(process.env['PORT'] ?? 3000),
  idleTimeout: 60, // Bun ends idle connections after 10 seconds; the bell's stream writes every 25
  fetch(request: Request, server: Connections): Promise<Response> {
    return answer(request, server.requestIP(request)?.address ?? null)
  },
}

/** What is used of Bun's `Server`; `@types/bun` has the rest. */
interface Connections {
  requestIP(request: Request): { readonly address: string } | null
}
