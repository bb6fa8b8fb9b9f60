import { NestFactory } from '@nestjs/core'
import { mount } from '@svc/auth/nestjs'
import { AppModule } from './app.module'
import { auth } from './auth'

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule)
  app.enableShutdownHooks()
  app.use(mount(auth)) // before it listens
  await app.listen(Number(process.env['PORT'] || 3000))
}
void bootstrap()
