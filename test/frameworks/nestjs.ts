import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { APP_GUARD, NestFactory } from '@nestjs/core'
import { CurrentUser, globalGuard, mount, Public } from '@svc/auth/nestjs'
import { auth } from './auth.ts'
import type { Person } from './users.ts'

@Controller('api/orders')
class Orders {
  @Get()
  list(@CurrentUser(auth) user: Person) {
    return { seenBy: user.name }
  }

  @Get('prices')
  @Public()
  prices() {
    return { coffee: 3 }
  }
}

@Module({
  controllers: [Orders],
  providers: [{ provide: APP_GUARD, useValue: globalGuard(auth) }],
})
class Shop {}

const app = await NestFactory.create(Shop) // or with new FastifyAdapter()
app.use(mount(auth)) // before it listens
await app.listen(3000)
