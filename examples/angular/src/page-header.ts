import { Component, inject, signal } from '@angular/core'
import { Router, RouterLink } from '@angular/router'
import { Bell } from './panel-parts'
import { Panel } from './panel'
import { session } from './session'

@Component({
  selector: 'app-header',
  imports: [Bell, RouterLink],
  styles: `
    header {
      display: flex;
      gap: 1rem;
      align-items: center;
      padding: 0.5rem 1rem;
    }

    /* The list of the bell opens towards the start of the line. */
    span {
      margin-inline-start: auto;
    }
  `,
  template: `
    <header>
      <a routerLink="/orders">Orders</a>
      <span>{{ panel.user()?.name }}</span>
      <app-bell />
      <a routerLink="/security">Security</a>
      <button type="button" (click)="logOut()">Log out</button>
    </header>
    <p role="alert">{{ problem() }}</p>
  `,
})
export class PageHeader {
  protected readonly panel = inject(Panel)
  protected readonly problem = signal('')
  readonly #router = inject(Router)

  protected async logOut() {
    const { outcome } = await session.logout()
    // A user who has logged out did not ask to return to this page.
    if (outcome === 'ok') await this.#router.navigateByUrl('/orders')
    else this.problem.set('The service did not answer. You are still logged in.')
  }
}
