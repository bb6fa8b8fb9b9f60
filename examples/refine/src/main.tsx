import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { session } from './session.ts'

session.start()
createRoot(document.querySelector('#root')!).render(<App />)
