import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { globalGuard } from '@svc/auth/nestjs'
import { auth } from './auth'
import { HealthController } from './health.controller'
import { OrdersController } from './orders.controller'
import { ReportsController } from './reports.controller'

@Module({
  controllers: [HealthController, OrdersController, ReportsController],
  providers: [{ provide: APP_GUARD, useValue: globalGuard(auth) }],
})
export class AppModule {}
