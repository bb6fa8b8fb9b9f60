import { bootstrapApplication } from '@angular/platform-browser'
import { provideRouter } from '@angular/router'
import { App } from './app'
import { routes } from './routes'
import { session } from './session'

session.start()
bootstrapApplication(App, { providers: [provideRouter(routes)] }).catch(console.error)
