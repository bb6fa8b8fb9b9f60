import { answer } from './app.ts'

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000) }, (request, { remoteAddr }) =>
  answer(request, remoteAddr.hostname),
)
