// The configuration of `svc`. Only `svc migrate` creates and migrates tables.
import { defineConfig } from '@svc/auth'
import { openPanel } from './auth.js'

export default defineConfig(async ({ command }) => openPanel({ migrate: command === 'migrate' }))
