// Only bundled; its declarations are those of mount.ts.
import './style.css'

export * from './mount.ts'
