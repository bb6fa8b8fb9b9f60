import { bootstrapApplication } from '@angular/platform-browser'
import { provideRouter } from '@angular/router'
import { App } from './app.ts'
import { routes } from './routes.ts'
import { session } from './session.ts'

session.start()
bootstrapApplication(App, { providers: [provideRouter(routes)] }).catch(console.error)
