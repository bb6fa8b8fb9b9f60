/** The French texts of answers and of the pages of the service. */
export const service = {
  'svc::auth.unauthenticated': 'Connectez-vous pour continuer.',
  'svc::auth.csrf_mismatch': 'Cette page n’est plus à jour. Rechargez-la et réessayez.',
  'svc::auth.origin_mismatch':
    'Cette requête ne vient pas du panneau. Ouvrez le panneau et réessayez.',
  'svc::auth.failed':
    'L’adresse e-mail ou le mot de passe est incorrect. Vérifiez-les et réessayez.',
  'svc::auth.throttle_one': 'Trop de tentatives. Réessayez dans {{count}} seconde.',
  'svc::auth.throttle_many': 'Trop de tentatives. Réessayez dans {{count}} secondes.',
  'svc::auth.throttle_other': 'Trop de tentatives. Réessayez dans {{count}} secondes.',
  'svc::auth.too_many_requests_one': 'Trop de requêtes. Patientez {{count}} seconde et réessayez.',
  'svc::auth.too_many_requests_many':
    'Trop de requêtes. Patientez {{count}} secondes et réessayez.',
  'svc::auth.too_many_requests_other':
    'Trop de requêtes. Patientez {{count}} secondes et réessayez.',
  'svc::auth.invalid': 'Certains champs sont à revoir. Corrigez-les et réessayez.',
  'svc::auth.two_factor_invalid':
    'Ce code est incorrect. Essayez le dernier code de l’application.',
  'svc::auth.two_factor_attempts_one': 'Ce code est incorrect. Il reste {{count}} tentative.',
  'svc::auth.two_factor_attempts_many': 'Ce code est incorrect. Il reste {{count}} tentatives.',
  'svc::auth.two_factor_attempts_other': 'Ce code est incorrect. Il reste {{count}} tentatives.',
  'svc::auth.two_factor_exhausted': 'Trop de codes incorrects. Connectez-vous à nouveau.',
  'svc::auth.two_factor_expired':
    'Le délai pour saisir le code est écoulé. Connectez-vous à nouveau.',
  'svc::auth.two_factor_setup_missing':
    'La configuration a pris trop de temps. Recommencez et scannez le nouveau code.',
  'svc::auth.two_factor_already_enabled': 'L’authentification à deux facteurs est déjà activée.',
  'svc::auth.required_cannot_disable':
    'Votre rôle exige l’authentification à deux facteurs : elle ne peut pas être désactivée.',
  'svc::auth.two_factor_devices_full':
    'Vous avez déjà cinq applications. Supprimez-en une pour en ajouter une autre.',
  'svc::auth.two_factor_last_device':
    'C’est votre seule application. Ajoutez-en une autre avant de la supprimer.',
  'svc::auth.two_factor_setup_required':
    'L’authentification à deux facteurs est obligatoire. Configurez-la pour accéder au panneau.',
  'svc::auth.confirmation_required': 'Confirmez votre identité pour continuer.',
  'svc::auth.verification_invalid':
    'Ce lien ne fonctionne pas. Connectez-vous et envoyez-en un nouveau.',
  'svc::auth.email_verification_required': 'Vérifiez votre adresse e-mail pour continuer.',
  'svc::auth.impersonated':
    'Vous agissez au nom d’une autre personne. Revenez à votre propre compte pour faire cela.',
  'svc::auth.not_found': 'Il n’y a rien à cette adresse. Vérifiez-la et réessayez.',
  'svc::auth.method_not_allowed': 'Cette adresse ne répond pas à {{method}}. Utilisez {{allowed}}.',
  'svc::auth.unsupported_media_type':
    'Envoyez le corps en application/json, en UTF-8, sans compression.',
  'svc::auth.malformed':
    'Le corps n’est pas du JSON bien formé en UTF-8. Corrigez-le et réessayez.',
  'svc::auth.too_large_one': 'Le corps est trop grand. Envoyez au plus {{count}} octet.',
  'svc::auth.too_large_many': 'Le corps est trop grand. Envoyez au plus {{count}} octets.',
  'svc::auth.too_large_other': 'Le corps est trop grand. Envoyez au plus {{count}} octets.',
  'svc::auth.unavailable': 'Un problème est survenu de notre côté. Réessayez dans un instant.',
  'svc::auth.password_incorrect':
    'Votre mot de passe actuel est incorrect. Vérifiez-le et réessayez.',
  'svc::auth.password_link_invalid':
    'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  'ui.loading': 'Chargement…',
  'ui.reload': 'Recharger',

  'svc::auth.session_current':
    'C’est la session que vous utilisez. Déconnectez-vous pour y mettre fin.',
  'svc::auth.session_link_invalid': 'Ce lien a expiré ou a déjà été utilisé.',
}
