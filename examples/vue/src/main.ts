import { createPanelAuthPlugin } from '@svc/auth/vue'
import '@svc/auth/style.css'
import { createApp } from 'vue'
import App from './App.vue'
import { router } from './router.ts'
import { session } from './session.ts'

createApp(App)
  .use(createPanelAuthPlugin(session, { locale: 'en' }))
  .use(router)
  .mount('#app')
