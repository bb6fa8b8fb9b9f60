import 'reflect-metadata'
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { guard, mount, userOf } from '@svc/auth/nestjs'
import { auth } from './auth.ts'

@Controller('api/orders')
@UseGuards(guard(auth))
class Orders {
  @Get()
  list(@Req() request: object) {
    return { seenBy: userOf(auth, request)?.name }
  }
}

@Module({ controllers: [Orders] })
class Shop {}

const app = await NestFactory.create(Shop) // or with new FastifyAdapter()
app.use(mount(auth)) // before it listens
await app.listen(3000)
