import { mountBell, mountPanel } from '@svc/auth/mount'

mountBell(document.querySelector('#bell')) // on any page of yours
mountPanel(document.querySelector('#panel'), { base: '/admin/main', name: 'Acme' })
