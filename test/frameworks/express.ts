import express from 'express'
import { guard, mount, userOf } from '@svc/auth/express'
import { auth } from './auth.ts'

const app = express()
app.use(mount(auth)) // before any body parser
app.get('/api/orders', guard(auth), (request, response) => {
  response.json({ seenBy: userOf(auth, request)?.name })
})
app.listen(3000)
