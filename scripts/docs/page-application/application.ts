import type { Express } from 'express'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'

export { auth } from './auth.ts'
export declare const app: Express
export declare const fastify: FastifyInstance
export declare const db: Pool
