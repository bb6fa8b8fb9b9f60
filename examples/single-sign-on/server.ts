import { listOrders } from '@example/shop'
import { guard, mount } from '@svc/auth/express'
import express from 'express'
import { auth } from './auth.ts'
import { beginLogin, endedLogin, finishLogin } from './login.ts'
import { provider } from './provider.ts'

const app = express()
app.use(mount(auth))
app.get('/api/orders', guard(auth), (_request, response) => {
  response.json({ orders: listOrders() })
})

app.get('/sso/login', async (_request, response) => {
  const { location, cookie } = await beginLogin()
  response.append('Set-Cookie', cookie).redirect(location)
})

app.get('/sso/callback', async (request, response) => {
  response.append('Set-Cookie', endedLogin)
  const checked = await finishLogin(request)
  if (checked === null) return response.redirect('/sso/refused')
  const { person, secondFactor } = checked
  const opened = await auth.openSession(person, { request, secondFactor, by: 'OpenID Connect' })
  if (opened.outcome === 'refused') return response.redirect('/sso/refused')
  response.append('Set-Cookie', [...opened.cookies]).redirect('/admin/main')
})

app.get('/sso/refused', (_request, response) => {
  response.status(403).type('text').send('You cannot log in with this account.')
})

app.use(provider()) // a real provider is a server of its own
app.listen(Number(process.env['PORT'] || 3000))
