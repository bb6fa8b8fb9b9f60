import { buildRouter } from '@adminjs/express'
import { mount, pageGuard, userOf } from '@svc/auth/express'
import AdminJS from 'adminjs'
import express from 'express'
import { auth } from './auth.ts'
import { Orders } from './orders.ts'

const admin = new AdminJS({
  rootPath: '/backoffice',
  logoutPath: '/admin/main', // the panel, whose user menu logs out
  resources: [
    {
      resource: new Orders(),
      options: {
        properties: { by: { isVisible: { list: true, show: true, edit: false, filter: false } } },
        actions: {
          edit: { isAccessible: false },
          delete: { isAccessible: false },
          bulkDelete: { isAccessible: false },
        },
      },
    },
  ],
})

const app = express()
app.use(mount(auth)) // before any body parser

const backoffice = express.Router()
backoffice.use(pageGuard(auth, { login: '/admin/main/login' }), (request, response, next) => {
  // AdminJS runs actions for GET and HEAD, too, whose token no guard checks: a link of another site
  // could run one. Only a script of this origin can send these headers, and that of AdminJS does.
  const isOfScript =
    request.get('x-xsrf-token') !== undefined ||
    (request.get('sec-fetch-site') === 'same-origin' &&
      request.get('sec-fetch-mode') !== 'navigate')
  if (/^\/api\//i.test(request.path) && !isOfScript) return void response.sendStatus(403)
  const user = userOf(auth, request)
  if (user === null) throw new Error('the guard did not run')
  // AdminJS reads its `currentAdmin` here, and sends it to the browser: name chosen fields.
  Object.assign(request, { session: { adminUser: { email: user.email, title: user.name } } })
  next()
})
backoffice.use(buildRouter(admin))
app.use(admin.options.rootPath, backoffice)

app.listen(Number(process.env['PORT'] || 3000))
