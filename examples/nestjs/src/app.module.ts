import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { globalGuard } from '@svc/auth/nestjs'
import { auth } from './auth.js'
import { HealthController } from './health.controller.js'
import { OrdersController } from './orders.controller.js'
import { ReportsController } from './reports.controller.js'

@Module({
  controllers: [HealthController, OrdersController, ReportsController],
  providers: [{ provide: APP_GUARD, useValue: globalGuard(auth) }],
})
export class AppModule {}
