export { service } from './fr-service.ts'

/** The French texts of the screens that the panel shows first. With those of answers. */
export const screens = {
  'ui.reason.password_changed': 'Votre mot de passe est modifié. Connectez-vous avec le nouveau.',

  'ui.title.error': 'Erreur : {{title}}',

  'ui.error.heading': 'Il y a un problème',

  'ui.network': 'Le serveur est injoignable. Vérifiez votre connexion et réessayez.',

  'ui.retry': 'Réessayer',

  'ui.part.failed': 'Cette partie de la page n’a pas pu être chargée. Réessayez.',

  'ui.outdated.title': 'Une nouvelle version est prête',
  'ui.outdated': 'Une nouvelle version est prête. Rechargez la page pour l’utiliser.',
  'ui.outdated.unsaved': 'Votre saisie n’est pas enregistrée. Recharger la page et la perdre ?',

  'ui.error.reference': 'Référence : {{id}}',

  'ui.broken.title': 'Une erreur est survenue',
  'ui.broken.text': 'Cette page n’a pas pu être affichée. Rechargez-la et réessayez.',

  'ui.logout': 'Se déconnecter',
  'ui.impersonation.text': 'Vous agissez au nom de {{name}}.',
  'ui.impersonation.end': 'Revenir à votre compte',

  'ui.login.title': 'Connexion',
  'ui.login.email': 'Adresse e-mail',
  'ui.login.password': 'Mot de passe',
  'ui.login.submit': 'Se connecter',
  'ui.login.submitting': 'Connexion en cours…',
  'ui.login.help': 'Besoin d’aide ?',
  'ui.login.forgot': 'Mot de passe oublié ?',
  'ui.login.remember_one': 'Rester connecté pendant {{count}} jour',
  'ui.login.remember_many': 'Rester connecté pendant {{count}} jours',
  'ui.login.remember_other': 'Rester connecté pendant {{count}} jours',
  'ui.shared_computer': 'Pas sur un ordinateur partagé.',
  'ui.login.email_required': 'Saisissez votre adresse e-mail',
  'ui.login.password_required': 'Saisissez votre mot de passe',
  'ui.login.no_cookies':
    'Votre navigateur n’a pas conservé la session. Autorisez les cookies pour ce site et réessayez.',

  'ui.password.show': 'Afficher le mot de passe',
  'ui.password.show_short': 'Afficher',
  'ui.password.shown': 'Votre mot de passe est visible',
  'ui.password.hide': 'Masquer le mot de passe',
  'ui.password.hide_short': 'Masquer',
  'ui.password.hidden': 'Votre mot de passe est masqué',

  'ui.throttle.over': 'Vous pouvez réessayer maintenant.',
  'ui.throttle.minutes_one': 'Trop de tentatives. Réessayez dans {{count}} minute.',
  'ui.throttle.minutes_many': 'Trop de tentatives. Réessayez dans {{count}} minutes.',
  'ui.throttle.minutes_other': 'Trop de tentatives. Réessayez dans {{count}} minutes.',

  'ui.too_many_requests.minutes_one': 'Trop de requêtes. Patientez {{count}} minute et réessayez.',
  'ui.too_many_requests.minutes_many':
    'Trop de requêtes. Patientez {{count}} minutes et réessayez.',
  'ui.too_many_requests.minutes_other':
    'Trop de requêtes. Patientez {{count}} minutes et réessayez.',

  'ui.reason.session_ended': 'Votre session a pris fin. Reconnectez-vous pour continuer.',
  'ui.reason.confirm_unanswered':
    'La connexion a été interrompue pendant l’activation de l’authentification à deux facteurs, et votre session a pris fin. Elle est peut-être activée. Reconnectez-vous et ouvrez Sécurité pour savoir quoi faire.',
  'ui.reason.logged_out': 'Vous êtes déconnecté.',
  'ui.reason.logged_out_elsewhere': 'Vous êtes déconnecté. Reconnectez-vous pour continuer.',
  'ui.reason.code_expired': 'Le délai pour saisir le code est écoulé. Connectez-vous à nouveau.',
  'ui.reason.code_exhausted': 'Trop de codes incorrects. Connectez-vous à nouveau.',
  'ui.reason.link_verified': 'Votre adresse e-mail est vérifiée. Connectez-vous pour continuer.',
  'ui.reason.link_expired': 'Ce lien a expiré. Connectez-vous et envoyez-en un nouveau.',
  'ui.reason.link_invalid': 'Ce lien ne fonctionne pas. Connectez-vous et envoyez-en un nouveau.',

  'ui.code.title': 'Saisissez votre code',
  'ui.code.intro': 'Connexion en tant que {{email}}.',
  'ui.code.minutes_one': 'Vous avez {{count}} minute.',
  'ui.code.minutes_many': 'Vous avez {{count}} minutes.',
  'ui.code.minutes_other': 'Vous avez {{count}} minutes.',
  'ui.code.label': 'Code de votre application d’authentification',
  'ui.code.hint': 'Les espaces sont acceptées.',
  'ui.code.hint_digits_one': 'En général {{count}} chiffre. Les espaces sont acceptées.',
  'ui.code.hint_digits_many': 'En général {{count}} chiffres. Les espaces sont acceptées.',
  'ui.code.hint_digits_other': 'En général {{count}} chiffres. Les espaces sont acceptées.',
  'ui.code.recovery_label': 'Code de secours',
  'ui.code.recovery_hint':
    'L’un des codes que vous avez enregistrés lors de l’activation. Chacun ne sert qu’une fois.',
  'ui.code.use_recovery': 'Utiliser un code de secours',
  'ui.code.use_app': 'Utiliser votre application d’authentification',
  'ui.code.submit': 'Continuer',
  'ui.code.submitting': 'Vérification…',
  'ui.code.trust_one': 'Ne pas demander de code dans ce navigateur pendant {{count}} jour',
  'ui.code.trust_many': 'Ne pas demander de code dans ce navigateur pendant {{count}} jours',
  'ui.code.trust_other': 'Ne pas demander de code dans ce navigateur pendant {{count}} jours',
  'ui.code.back': 'Retour à la connexion',
  'ui.code.required': 'Saisissez votre code',
  'ui.code.time_left': 'Temps restant',
  'ui.code.minute_left': 'Il reste 1 minute pour saisir votre code.',
  'ui.code.seconds_left_one': 'Il reste {{count}} seconde pour saisir votre code.',
  'ui.code.seconds_left_many': 'Il reste {{count}} secondes pour saisir votre code.',
  'ui.code.seconds_left_other': 'Il reste {{count}} secondes pour saisir votre code.',
  'ui.code.lost': 'Appareil et codes de secours perdus ? Adressez-vous à un administrateur.',

  'ui.verify.title': 'Vérifiez votre adresse e-mail',
  'ui.verify.intro':
    'Confirmez que {{email}} est bien à vous. Vous pourrez ensuite utiliser le panneau.',
  'ui.verify.intro_nameless':
    'Confirmez que votre adresse e-mail est bien à vous. Vous pourrez ensuite utiliser le panneau.',
  'ui.verify.send': 'Envoyer l’e-mail de vérification',
  'ui.verify.again': 'Renvoyer',
  'ui.verify.sending': 'Envoi…',
  'ui.verify.sent': 'E-mail envoyé. Regardez aussi dans vos courriers indésirables.',
  'ui.verify.sent_minutes_one':
    'E-mail envoyé. Le lien est valable {{count}} minute. Regardez aussi dans vos courriers indésirables.',
  'ui.verify.sent_minutes_many':
    'E-mail envoyé. Le lien est valable {{count}} minutes. Regardez aussi dans vos courriers indésirables.',
  'ui.verify.sent_minutes_other':
    'E-mail envoyé. Le lien est valable {{count}} minutes. Regardez aussi dans vos courriers indésirables.',
  'ui.verify.wait_one': 'Vous pourrez en envoyer un autre dans {{count}} seconde.',
  'ui.verify.wait_many': 'Vous pourrez en envoyer un autre dans {{count}} secondes.',
  'ui.verify.wait_other': 'Vous pourrez en envoyer un autre dans {{count}} secondes.',
  'ui.verify.elsewhere':
    'Vous avez ouvert le lien dans un autre onglet ? Cette page continue d’elle-même.',
  'ui.verify.continue': 'J’ai vérifié, continuer',
  'ui.verify.not_yet': 'Nous ne le voyons pas encore. Ouvrez d’abord le lien reçu par e-mail.',
  'ui.verify.expired': 'Ce lien a expiré. Envoyez-en un nouveau.',
  'ui.verify.invalid': 'Ce lien ne fonctionne pas. Envoyez-en un nouveau.',
  'ui.verify.done': 'Adresse e-mail vérifiée.',

  'ui.security.title': 'Sécurité',

  'ui.tf.name': 'Authentification à deux facteurs',
  'ui.tf.due_zero':
    'Il vous reste moins d’un jour pour la configurer. Ensuite, vous ne pourrez plus utiliser le panneau sans elle.',
  'ui.tf.due_one':
    'Il vous reste {{count}} jour pour la configurer. Ensuite, vous ne pourrez plus utiliser le panneau sans elle.',
  'ui.tf.due_many':
    'Il vous reste {{count}} jours pour la configurer. Ensuite, vous ne pourrez plus utiliser le panneau sans elle.',
  'ui.tf.due_other':
    'Il vous reste {{count}} jours pour la configurer. Ensuite, vous ne pourrez plus utiliser le panneau sans elle.',

  'ui.bell.name_zero': 'Notifications',
  'ui.bell.name_one': 'Notifications, {{count}} non lue',
  'ui.bell.name_many': 'Notifications, {{count}} non lues',
  'ui.bell.name_other': 'Notifications, {{count}} non lues',
  'ui.bell.title': 'Notifications',
  'ui.bell.close': 'Fermer les notifications',
  'ui.bell.mark_all': 'Tout marquer comme lu',
  'ui.bell.mark': 'Marquer comme lue : {{title}}',
  'ui.bell.mark_short': 'Marquer comme lue',
  'ui.bell.unread': 'Non lue',
  'ui.bell.new_one': '{{count}} nouvelle notification',
  'ui.bell.new_many': '{{count}} nouvelles notifications',
  'ui.bell.new_other': '{{count}} nouvelles notifications',
  'ui.bell.empty_title': 'Vous êtes à jour',
  'ui.bell.empty_body': 'Les nouvelles notifications apparaîtront ici.',
  'ui.bell.error': 'Les notifications n’ont pas pu être chargées.',
  'ui.bell.loading': 'Chargement des notifications…',
  'ui.bell.all_read': 'Toutes les notifications sont marquées comme lues.',
  'ui.bell.one_read_one': 'Marquée comme lue. {{count}} non lue.',
  'ui.bell.one_read_many': 'Marquée comme lue. {{count}} non lues.',
  'ui.bell.one_read_other': 'Marquée comme lue. {{count}} non lues.',
  'ui.bell.external': '(s’ouvre dans un nouvel onglet)',
  'ui.bell.limit': 'Affichage des {{limit}} dernières',

  'ui.session.title': 'Reconnectez-vous',
  'ui.session.body': 'Votre session a pris fin. Connectez-vous pour reprendre là où vous étiez.',
  'ui.session.leave': 'Aller à la page de connexion',

  'ui.nav': 'Panneau',

  'ui.skip': 'Aller au contenu',

  'ui.nav.menu': 'Pages',

  'ui.user.menu': 'Menu du compte : {{name}}',

  'ui.language': 'Langue',

  'ui.theme': 'Thème',
  'ui.theme.system': 'Appareil',
  'ui.theme.light': 'Clair',
  'ui.theme.dark': 'Sombre',

  'ui.home.title': 'Bienvenue, {{name}}',
  'ui.home.title_nameless': 'Bienvenue',
  'ui.home.account': 'Votre compte',
  'ui.home.factor_on': 'Activée',
  'ui.home.factor_off': 'Désactivée',
  'ui.home.codes_left_one': '{{count}} code de secours restant',
  'ui.home.codes_left_many': '{{count}} codes de secours restants',
  'ui.home.codes_left_other': '{{count}} codes de secours restants',
  'ui.home.sessions': 'Sessions',
  'ui.home.review': 'Vérifier les sessions',
  'ui.home.unread_one': '{{count}} non lue',
  'ui.home.unread_many': '{{count}} non lues',
  'ui.home.unread_other': '{{count}} non lues',
  'ui.home.see_all': 'Tout voir',
  'ui.home.name': 'Nom',
  'ui.home.email': 'Adresse e-mail',
  'ui.home.last_login': 'Dernière connexion',
  'ui.activity.browser_on': '{{browser}} sur {{system}}',
  'ui.home.protect_title': 'Prochaine étape : protégez votre compte',
  'ui.home.protect':
    'Avec l’authentification à deux facteurs, un mot de passe volé ne suffit pas pour se connecter.',
  'ui.home.protect_link': 'Configurer l’authentification à deux facteurs',

  'ui.not_found.title': 'Page introuvable',
  'ui.not_found.text': 'Il n’y a rien à cette adresse. Vérifiez-la ou allez au panneau.',
  'ui.not_found.link': 'Aller au panneau',

  'ui.unreachable.title': 'Le panneau ne peut pas être ouvert',
}
