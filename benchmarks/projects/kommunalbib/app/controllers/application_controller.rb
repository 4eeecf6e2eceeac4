class ApplicationController < ActionController::Base
  include AuditContext

  protect_from_forgery with: :exception
  before_action :require_login

  private

  def current_user
    @current_user ||= User.find_by(id: session[:user_id])
  end

  def require_login
    redirect_to login_path unless current_user
  end
end
