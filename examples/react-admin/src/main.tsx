import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { session } from './session.ts'

session.start()
createRoot(document.querySelector('#root')!).render(<App />)
