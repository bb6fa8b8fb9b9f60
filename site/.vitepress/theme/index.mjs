import DefaultTheme from 'vitepress/theme'
import Landing from './Landing.vue'
import Tokens from './Tokens.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('landing', Landing)
    app.component('Tokens', Tokens)
  },
}
