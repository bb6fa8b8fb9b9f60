import { NestFactory } from '@nestjs/core'
import { mount } from '@svc/auth/nestjs'
import { AppModule } from './app.module.js'
import { auth } from './auth.js'

const app = await NestFactory.create(AppModule)
app.enableShutdownHooks()
app.use(mount(auth)) // before it listens
await app.listen(Number(process.env['PORT'] || 3000))
