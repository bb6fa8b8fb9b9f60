import { addOrder, reportsPage } from '@example/shop'
import type { Person } from '@example/shop'
import { Body, Controller, Get, Header, Post, Redirect, UseGuards } from '@nestjs/common'
import { CurrentUser, pageGuard, Public } from '@svc/auth/nestjs'
import { auth } from './auth'

class NewOrder {
  readonly item: string = ''
}

/** A page that the server renders, with an HTML form. */
@Controller('reports')
@Public() // exempt from the global guard: that of the page redirects to the login
@UseGuards(pageGuard(auth, { login: '/admin/main/login', csrf: 'same-origin' }))
export class ReportsController {
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  show(@CurrentUser(auth) user: Person) {
    return reportsPage(user.name)
  }

  @Post()
  @Redirect('/reports', 303)
  add(@Body() { item }: NewOrder, @CurrentUser(auth) user: Person) {
    addOrder(item, user.name)
  }
}
