// Only built: the declarations are those of mount.ts.
import './style.css'

export * from './mount.ts'
