import { createHttpClient } from '@svc/auth/react-admin'
import jsonServerProvider from 'ra-data-json-server'
import { session } from './session.ts'

export const dataProvider = jsonServerProvider('/api', createHttpClient(session))
