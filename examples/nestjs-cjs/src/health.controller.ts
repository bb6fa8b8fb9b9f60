import { Controller, Get } from '@nestjs/common'
import { Public } from '@svc/auth/nestjs'
import { auth } from './auth'

@Controller('health')
@Public()
export class HealthController {
  @Get()
  check() {
    return auth.health()
  }
}
