import 'reflect-metadata'
import type { Server } from 'node:http'
import { Controller, Module, type INestApplication, type Provider } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'

/** The platforms that NestJS runs on. */
export const platforms: readonly (readonly [string, () => ExpressAdapter | FastifyAdapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
]

interface MethodDecorators {
  readonly method?: readonly MethodDecorator[]
  /** The decorators of the first parameter. */
  readonly parameter?: readonly ParameterDecorator[]
}

/** Decorates a method of a class; the tests are compiled without the syntax of decorators. */
export function decorate(
  { prototype }: { readonly prototype: object },
  name: string,
  { method = [], parameter = [] }: MethodDecorators,
): void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
  for (const one of method) one(prototype, name, descriptor)
  for (const one of parameter) one(prototype, name, 0)
}

/** Starts an application without listening. */
export async function nestApp(
  adapter: ExpressAdapter | FastifyAdapter,
  controllers: Readonly<Record<string, new () => object>>,
  providers: readonly Provider[] = [],
): Promise<{ readonly app: INestApplication; readonly server: Server }> {
  for (const [path, controller] of Object.entries(controllers)) Controller(path)(controller)
  const module = class extends Object {}
  Module({ controllers: Object.values(controllers), providers: [...providers] })(module)
  const app = await NestFactory.create(module, adapter, { logger: false, abortOnError: false })
  await app.init()
  await app.getHttpAdapter().getInstance().ready?.()
  return { app, server: app.getHttpServer() as Server }
}
