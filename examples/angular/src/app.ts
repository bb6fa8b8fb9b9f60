import { Component, inject } from '@angular/core'
import { RouterOutlet } from '@angular/router'
import { PageHeader } from './page-header'
import { Screens } from './panel-parts'
import { Panel } from './panel'

@Component({
  selector: 'app-root',
  imports: [PageHeader, RouterOutlet, Screens],
  template: `
    @if (panel.isOpen()) {
      <app-header />
      <main style="padding: 0 1rem"><router-outlet /></main>
    }
    <app-screens />
  `,
})
export class App {
  protected readonly panel = inject(Panel)
}
